"""What a person does with a home beside asking: setup, update, doctor, the query log, the map.

For: chains of what the other rooms do, and what is wrong with a home.
Not for: the work of one step; each is a function of the room it belongs to.
Rule of thumb: a command of its own that is no question.
"""
