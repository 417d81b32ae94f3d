import sys; sys.path.insert(0,'/tmp/trial/play2')
from tests.terminal.test_whole_games import *
import time
for g in sys.argv[4:]:
    p=Presser(sitting_of(g,None,sys.argv[3]),(int(sys.argv[1]),int(sys.argv[2])),sys.argv[3])
    for _ in range(22): p.one()
    while p.face.keyboard.stage not in (Stage.CHOICE,Stage.END): p.one()
    t=time.time(); p.look(); t=time.time()-t
    print("=====",g,round(t*1000)); print(p.shown)
