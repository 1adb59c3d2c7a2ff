"""What a server loads at its start, loaded once: see `ForkedProcess`."""

import benben
import benben.live.worker
import benben.web.serving
from benben.bots.warm import BOTS
from benben.core.kernel import PLAIN_PYTHON
from benben.core.warm import RULES

for _name in () if PLAIN_PYTHON else benben.names():
    for _stage in (RULES, BOTS):
        for _ in _stage.run(benben.game(_name)):
            pass
