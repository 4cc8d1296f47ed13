// A program in C as a user of the library writes it.
#include <lightcone/c.h>

#include <stdio.h>

int main(void) {
  const lightcone_options options = {.size = sizeof options, .name = "anna"};
  lightcone_process* anna = lightcone_start(&options, NULL);
  if (anna == NULL || lightcone_event(anna, NULL) != 0) {
    fprintf(stderr, "%s\n", lightcone_last_error());
    return 1;
  }
  lightcone_counts counts;
  lightcone_get_counts(anna, &counts, sizeof counts);
  printf("%d event in C\n", (int)counts.events);
  lightcone_end(anna);
  return 0;
}
