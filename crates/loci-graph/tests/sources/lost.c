#include "cart.h"

/* Logs like printf. */
void printflike(1, 2) log_it(const char *format, ...);
typedef int (*price_cb)(struct cart *, int);

static u_int next_id = 1;

/* Sums up. */
int printflike(2, 3)
cart_total(struct cart *cart, const char *format, ...)
{
	if (cart == NULL) {
		return log_it(format);
	}
	return cart->total;
}

static int
old_style(cart, id)
	struct cart *cart;
	int id;
{
	return cart_total(cart, "x");
}

int open_it(int id) {
#ifdef _WIN32
	if (win_open(id)) {
#else
	if (unix_open(id)) {
#endif
		return 1;
	}
	return 0;
}

int close_it(int id) {
	return release(id);
}
