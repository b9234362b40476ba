/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitted models in C, and in every language that calls C: load a file that Python or C++ has saved, and predict.
 *
 *   gramian_model* model = NULL;
 *   if (gramian_load("classifier.gramian", &model) != GRAMIAN_OK) { puts(gramian_last_error()); return 1; }
 *   int64_t outputs = gramian_outputs(model, GRAMIAN_PREDICT_PROBA);
 *   status = gramian_predict_proba(model, X, rows, columns, out);      out: rows * outputs numbers
 *   gramian_free(model);
 *
 * Matrices are row-major without gaps, a row a sample. A model does not change: any number of threads may use it at the same
 * time. No function throws, prints or ends the program. Functions and structs of this header stay as they are for all versions
 * with the same first number; structs grow at their end. */
#ifndef GRAMIAN_C_H
#define GRAMIAN_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#if defined(GRAMIAN_BUILDING)
#define GRAMIAN_C_API __declspec(dllexport)
#else
#define GRAMIAN_C_API __declspec(dllimport)
#endif
#else
#define GRAMIAN_C_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call: GRAMIAN_OK, or what went wrong. */
typedef enum gramian_status {
  GRAMIAN_OK = 0,
  GRAMIAN_INVALID_ARGUMENT = 1, /* a null pointer, a shape that does not fit, an entry that is not finite */
  GRAMIAN_NO_SUCH_VERB = 2,     /* the model does not have this operation */
  GRAMIAN_BAD_FILE = 3,         /* the file is no model, is damaged, or is of a newer version */
  GRAMIAN_SYSTEM_ERROR = 4,     /* the file can't be read */
  GRAMIAN_OUT_OF_MEMORY = 5,
  GRAMIAN_NUMERICAL_ERROR = 6,
  GRAMIAN_INTERNAL_ERROR = 7 /* a defect of the library */
} gramian_status;

/* The operations of a model. */
typedef enum gramian_verb {
  GRAMIAN_PREDICT = 0,           /* values of a regression; of a classifier the number of the class, from 0 */
  GRAMIAN_PREDICT_PROBA = 1,     /* probabilities of the classes */
  GRAMIAN_TRANSFORM = 2,         /* codes or features */
  GRAMIAN_INVERSE_TRANSFORM = 3, /* rows of the input from codes */
  GRAMIAN_SCORES = 4             /* of each class or candidate, the best one has the largest */
} gramian_verb;

typedef struct gramian_model gramian_model;

/* Facts about a model. Set struct_size to sizeof(gramian_description) before the call. */
typedef struct gramian_description {
  size_t struct_size;
  const char* family; /* "embedding", ...: lives as long as the model */
  int64_t classes;    /* 0 unless the model is a classifier */
} gramian_description;

/* The version of the library, "1.2.3". */
GRAMIAN_C_API const char* gramian_version(void);

/* Why the last call on this thread failed; empty if none did. The text stays until the next call that fails on this thread. */
GRAMIAN_C_API const char* gramian_last_error(void);

/* Loads a model. On success *model is to be freed by gramian_free(); else it is null. path is UTF-8. */
GRAMIAN_C_API gramian_status gramian_load(const char* path, gramian_model** model);

/* The same from the bytes of a file, which are copied. */
GRAMIAN_C_API gramian_status gramian_load_memory(const void* bytes, size_t size, gramian_model** model);

/* Frees a model; null is allowed. */
GRAMIAN_C_API void gramian_free(gramian_model* model);

GRAMIAN_C_API gramian_status gramian_describe(const gramian_model* model, gramian_description* description);

/* The label of a class, 0 .. classes - 1, as text: it lives as long as the model. Null for any other number. */
GRAMIAN_C_API const char* gramian_class_label(const gramian_model* model, int64_t number);

/* How many numbers a row has that the operation takes; 0: the model does not have this operation. */
GRAMIAN_C_API int64_t gramian_inputs(const gramian_model* model, gramian_verb verb);

/* How many numbers it returns for each row. */
GRAMIAN_C_API int64_t gramian_outputs(const gramian_model* model, gramian_verb verb);

/* out = verb(X): X is rows x columns, columns = gramian_inputs(); out is rows x gramian_outputs(). */
GRAMIAN_C_API gramian_status gramian_apply(const gramian_model* model, gramian_verb verb, const double* X, int64_t rows,
                                           int64_t columns, double* out);

/* gramian_apply() with each of the verbs. */
GRAMIAN_C_API gramian_status gramian_predict(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                             double* out);
GRAMIAN_C_API gramian_status gramian_predict_proba(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                                   double* out);
GRAMIAN_C_API gramian_status gramian_transform(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                               double* out);
GRAMIAN_C_API gramian_status gramian_inverse_transform(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                                       double* out);
GRAMIAN_C_API gramian_status gramian_scores(const gramian_model* model, const double* X, int64_t rows, int64_t columns,
                                            double* out);

/* How many threads a call may use; 0: as many as the process has processors. For all models. */
GRAMIAN_C_API void gramian_set_num_threads(int threads);

#ifdef __cplusplus
}
#endif

#endif
