"""Routes support tickets to the service they are about, by nothing but the services' READMEs.

    python examples/support_tickets.py

A ticket that names no service and fits none is not forced on anybody: it comes back with the reason and with the
services that share a telling word with it, for a person to look at.
"""

from __future__ import annotations

from loci.router import Router, RoutingIndex, Scope

READMES = {
    "checkout": """# Checkout

Takes a shopping cart to a paid order. Customers enter a delivery address, choose a shipping method and pay by card,
invoice or gift voucher. Card payments are authorised when the order is placed and captured when the parcel leaves.

## Vouchers

A gift voucher is redeemed against the order total. What is left of its balance stays on the voucher. Expired vouchers
are refused with a message that says when they expired.

## Failures

A declined card keeps the cart. The customer sees the bank's reason and may try another card without typing the address
again.
""",
    "accounts": """# Accounts

Sign-up, sign-in and everything a person can change about themselves. Passwords are stored with Argon2; after five wrong
ones the account is locked for fifteen minutes.

## Two-factor authentication

A second factor is a time-based code from an authenticator app, or one of ten recovery codes. Losing the phone is
answered with a recovery code; losing those too needs an identity check by the support team.

## Email addresses

Changing the email address sends a confirmation link to the old and to the new one. Links are valid for an hour.
""",
    "warehouse": """# Warehouse

Knows what lies where. Stock is counted per bin; a parcel is picked from the nearest bin that has all of it, packed,
weighed and handed to the carrier with a tracking number.

## Returns

A returned parcel is inspected and restocked or written off. The refund is triggered when the inspection is done, not
when the parcel arrives.

## Tracking

Tracking numbers are pushed by the carrier every ten minutes. A parcel without an update for three days is reported as
lost. """,
    "newsletter": """# Newsletter

Sends campaigns to subscribers who confirmed. Every mail carries an unsubscribe link that works without signing in.
Bounced addresses are paused after three hard bounces.

## Segments

A campaign goes to a segment: subscribers filtered by country, by the language they read and by what they opened before.
""",
}

SERVICES = {
    "checkout": Scope("checkout", "Checkout", aliases=("payment service",)),
    "accounts": Scope("accounts", "Accounts", aliases=("sign-in service",)),
    "warehouse": Scope("warehouse", "Warehouse"),
    "newsletter": Scope("newsletter", "Newsletter"),
}

TICKETS = [
    "My gift voucher was refused although there is still balance left on it",
    "I lost my phone and the authenticator app with it, and have no recovery codes",
    "the tracking number of my parcel has shown no update for days",
    "I get a campaign although I clicked the unsubscribe link",
    "What is the capital of Mongolia?",
    "the warehouse project: when is a refund triggered?",
]


def paragraphs(text: str) -> list[str]:
    """The passages of a README: each paragraph on its own speaks for the service."""
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def route_tickets(tickets: list[str]) -> list[tuple[str, list[str]]]:
    """Per ticket the ids of the services it goes to, best first; [] when it goes to a person."""
    router = Router(RoutingIndex.from_texts({id_: paragraphs(text) for id_, text in READMES.items()}), SERVICES)
    return [(ticket, [scope.id for scope in router.route(ticket).scopes]) for ticket in tickets]


def main() -> None:
    """Prints where every ticket goes."""
    for ticket, services in route_tickets(TICKETS):
        print(f"{', '.join(services) or 'a person':<12} {ticket}")  # noqa: T201


if __name__ == "__main__":
    main()
