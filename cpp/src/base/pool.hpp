// SPDX-License-Identifier: BSD-3-Clause
// Objects that serve one thread at a time, for values that any number of threads use.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace gramian {

/// Hands out objects, each to one borrower at a time, and makes another one where all are in use. So there are as many as there
/// were borrowers at the same time, and a borrower that comes again finds memory that is there already. A copy begins empty: the
/// objects are workspace and no part of a value.
template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) {}
  Pool& operator=(const Pool&) { return *this; }

  class Loan {
   public:
    Loan(const Pool& from, std::unique_ptr<T> object) : from_(from), object_(std::move(object)) {}
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { from_.take_back(std::move(object_)); }

    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    const Pool& from_;
    std::unique_ptr<T> object_;
  };

  /// make() returns a std::unique_ptr<T>; it is called without the lock.
  template <class Make>
  Loan borrow(Make make) const {
    if (std::unique_ptr<T> object = take()) return Loan(*this, std::move(object));
    return Loan(*this, make());
  }
  Loan borrow() const {
    return borrow([] { return std::make_unique<T>(); });
  }

 private:
  std::unique_ptr<T> take() const {
    const std::lock_guard<std::mutex> held(lock_);
    if (idle_.empty()) return nullptr;
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }

  void take_back(std::unique_ptr<T> object) const noexcept {
    try {
      const std::lock_guard<std::mutex> held(lock_);
      idle_.push_back(std::move(object));
    } catch (...) {  // without memory for the list the object goes, and another one is made when it is needed
    }
  }

  mutable std::mutex lock_;
  mutable std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace gramian
