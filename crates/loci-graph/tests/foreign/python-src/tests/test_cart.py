from shop.cart import checkout


def test_checkout_adds_tax():
    assert checkout([100]) == 120
