# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the house. A rule takes a tree (path -> text) and returns its complaints: none if the tree keeps it."""
