"""Balance: many games between equal bots, and what they tell about a game.

`study.py` says which games are played, `watching.py` what is noted of each, `running.py` has them
played, `notes.py` keeps them in a file. `figures.py` makes a report of them, `skill.py` adds what
levels win against each other, and `comparing.py` sets reports side by side. `pages.py` writes them
for people, with the pictures of `plots.py`; `shipped.py` has those that come with Benben.
"""
