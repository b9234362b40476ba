/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions of a saved model in C:
 *
 *   predict MODEL VERB < rows > results
 *
 * VERB is predict, predict_proba, transform, inverse_transform or scores. Rows and results are float64 numbers in binary. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gramian/c.h"

static const char* const verbs[] = {"predict", "predict_proba", "transform", "inverse_transform", "scores"};

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, gramian_last_error());
  return 1;
}

static int verb_of(const char* name) {
  for (int verb = 0; verb < 5; ++verb) {
    if (strcmp(name, verbs[verb]) == 0) return verb;
  }
  return -1;
}

/* All numbers of standard input; *count is how many. */
static double* read_numbers(size_t* count) {
  size_t room = 1024;
  double* numbers = malloc(room * sizeof *numbers);
  *count = 0;
  while (numbers != NULL) {
    *count += fread(numbers + *count, sizeof *numbers, room - *count, stdin);
    if (*count < room) return numbers;
    room *= 2;
    double* more = realloc(numbers, room * sizeof *numbers);
    if (more == NULL) free(numbers);
    numbers = more;
  }
  return NULL;
}

static void describe(const gramian_model* model) {
  gramian_description facts = {.struct_size = sizeof facts};
  if (gramian_describe(model, &facts) != GRAMIAN_OK) return;
  fprintf(stderr, "a model of the family %s, %lld classes\n", facts.family, (long long)facts.classes);
  for (int64_t number = 0; number < facts.classes; ++number) {
    fprintf(stderr, "class %lld: %s\n", (long long)number, gramian_class_label(model, number));
  }
}

static int predict(const gramian_model* model, gramian_verb verb) {
  const int64_t inputs = gramian_inputs(model, verb), outputs = gramian_outputs(model, verb);
  if (inputs == 0) {
    fprintf(stderr, "the model has no %s\n", verbs[verb]);
    return 1;
  }
  size_t count = 0;
  double* X = read_numbers(&count);
  const int64_t rows = (int64_t)count / inputs;
  double* out = malloc((size_t)(rows * outputs + 1) * sizeof *out);
  int status = 1;
  if (X == NULL || out == NULL) {
    fprintf(stderr, "out of memory\n");
  } else if (gramian_apply(model, verb, X, rows, inputs, out) != GRAMIAN_OK) {
    failed(verbs[verb]);
  } else {
    const size_t results = (size_t)(rows * outputs);
    status = fwrite(out, sizeof *out, results, stdout) == results ? 0 : 1;
  }
  free(X);
  free(out);
  return status;
}

int main(int count, char** arguments) {
  const int verb = count == 3 ? verb_of(arguments[2]) : -1;
  if (verb < 0) {
    fprintf(stderr, "usage: predict MODEL VERB < rows > results\n");
    return 2;
  }
  gramian_model* model = NULL;
  if (gramian_load(arguments[1], &model) != GRAMIAN_OK) return failed(arguments[1]);
  describe(model);
  const int status = predict(model, (gramian_verb)verb);
  gramian_free(model);
  return status;
}
