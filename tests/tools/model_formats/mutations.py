"""Files changed at random, from a seed: bytes flipped, cut, repeated, and numbers made absurd."""

import random
from collections.abc import Iterator


def mutated(content: bytes, count: int, seed: int) -> Iterator[bytes]:
    """`count` versions of a file, none equal to it."""
    chance = random.Random(seed)
    for _ in range(count):
        yield _changed(bytearray(content), chance)


def _changed(content: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(content))
        match chance.randrange(5):
            case 0:
                content[at] ^= 1 << chance.randrange(8)
            case 1:
                content[at : at + 4] = chance.choice((b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", bytes(4)))
            case 2:
                del content[at : at + chance.randrange(1, 64)]
            case 3:
                content[at:at] = content[at : at + chance.randrange(1, 64)]
            case _:
                content[at : at + 1] = chance.randbytes(chance.randrange(1, 9))
        content = content or bytearray(b"\0")
    return bytes(content)
