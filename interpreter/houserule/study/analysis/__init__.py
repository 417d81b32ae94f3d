"""Analysis: where a game turned, which choice was better, and by how much.

A search evaluates each decision of a record with the information of the deciding seat:
`measuring` compares the choice with the best alternative, `analyse` walks through the
record, `report` puts the result into words.
"""
