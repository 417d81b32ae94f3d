from __future__ import annotations

from houserule import ir
from houserule.ir.memo import NodeMemo
from houserule.ir.types import Data, Flag


def test_equal_nodes_have_a_result_each_and_one_node_the_same() -> None:
    asked: list[ir.Const] = []

    def make(node: ir.Const) -> list[int]:
        asked.append(node)
        return []

    memo = NodeMemo(make)
    one, other = ir.Const(True, Flag()), ir.Const(True, Flag())
    assert one == other
    assert one not in memo
    assert memo(one) is memo(one)
    assert other not in memo
    assert memo(one) is not memo(other)
    assert asked == [one, other]


def test_a_node_stays_as_long_as_its_result() -> None:
    def value(node: ir.Const) -> Data:
        return node.value

    memo = NodeMemo(value)
    values = [memo(ir.Const(number, Flag())) for number in range(100)]
    assert values == list(range(100))
