#include <stdio.h>
#include "a/b.h"
#define MAX 3
#define CALL(x) do_it(x, other(1))
struct cart { int n; struct item *items; int (*get)(int); };
typedef struct { int a; } anon_t;
typedef enum { RED, GREEN } color;
typedef unsigned int u32;
static int proto(int a);
int global = 3, *other;
/* Sums it. More. */
static struct cart *
total(struct cart *c, int (*fn)(int), char *argv[])
{
	u32 x = 1; struct item *it = find(c->items, x);
	fn(3); c->get(4); it->next->go(handler);
	return make(MAX, &global);
}
