# SPDX-License-Identifier: BSD-3-Clause
# The installed package: library, headers, CMake config, pkg-config file. In a wheel the prefix is the Python package itself.
include(CMakePackageConfigHelpers)

if(SKBUILD)
  set(CMAKE_INSTALL_LIBDIR lib)
endif()
set(GRAMIAN_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/gramian")

install(TARGETS gramian EXPORT gramianTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cpp/include/gramian" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN "c.h")
install(EXPORT gramianTargets NAMESPACE gramian:: DESTINATION ${GRAMIAN_CMAKE_DIR})

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gramianConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/gramianConfig.cmake" INSTALL_DESTINATION ${GRAMIAN_CMAKE_DIR})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gramianConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gramianConfig.cmake" "${PROJECT_BINARY_DIR}/gramianConfigVersion.cmake"
        DESTINATION ${GRAMIAN_CMAKE_DIR})

# From the folder of the pkg-config file to the prefix, however deep the library folder is (lib, lib64, lib/x86_64-linux-gnu).
get_filename_component(_gramian_libdir "${CMAKE_INSTALL_LIBDIR}" ABSOLUTE BASE_DIR "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH GRAMIAN_PC_TO_PREFIX "${_gramian_libdir}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" GRAMIAN_PC_TO_PREFIX "${GRAMIAN_PC_TO_PREFIX}")
# Programs find the library in the place that they were linked in: the tree may be anywhere, and no variable has to say where.
set(GRAMIAN_PC_RPATH "")
if(UNIX)
  set(GRAMIAN_PC_RPATH " -Wl,-rpath,\${libdir}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/cmake/gramian.pc.in" "${PROJECT_BINARY_DIR}/gramian.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/gramian.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
