%{
#include "sum.h"

/* Adds two numbers. */
static int combine(int a, int b) {
  return checked(a + b);
}
%}
%union {
  int number;
}
%token <number> NUMBER "number"
%destructor { release($$); } <number>
%%

Sum:
  Sum '{' Term { $$ = combine($1, $<number>3); /* } */ }
| Term
;

Term[left]: NUMBER %prec NUMBER { $$ = scale($NUMBER)->value; }
;

%%
int parse_sum(const char *text) {
  return yyparse(text);
}
