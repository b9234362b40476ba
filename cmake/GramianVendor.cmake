# SPDX-License-Identifier: BSD-3-Clause
# Puts Eigen's headers under third_party/eigen, verified; run while an sdist is packed.
find_program(GRAMIAN_PYTHON_PROGRAM NAMES python3 python HINTS "${Python_EXECUTABLE}" "${PYTHON_EXECUTABLE}")
set(_python "${Python_EXECUTABLE}")
if(NOT _python)
  set(_python "${GRAMIAN_PYTHON_PROGRAM}")
endif()
execute_process(COMMAND "${_python}" "${PROJECT_SOURCE_DIR}/third_party/vendor_eigen.py"
                RESULT_VARIABLE _failed)
if(_failed)
  message(FATAL_ERROR "third_party/vendor_eigen.py failed: the sdist would not build without network.")
endif()
