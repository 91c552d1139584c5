#pragma once

#define SHOP_API __attribute__((visibility("default")))
