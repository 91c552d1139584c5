"""What calls what: the structure store's protocol and backends."""
