"""Words of a question that say nothing of what it is about."""

_WORDS = """
a about according across actual actually advice after again ain all allow allowed almost along already also
alternative although always am among amount amounts an and any anyone anything are aren as ask asked asking
at away back bad based basically be because become becomes been before begin behave behind being believe
beside best better between bit both bug but by can care case cause causes certain change changed changes
clear come comes coming common completely consider correct correctly could couldn course curious currently
deal decrease decreased define definition depend depends describe despite details did didn difference
different differently difficult directly do does doesn doing don done during each early easily easy effect
either else end enough especially etc even ever every exact exactly example except exist expect expected
explain explanation extra fact fairly far feel few find fine follow following for found free from full fully
further gave general generally get gets getting give go going good got guess guys had half happen happened
happening happens hard has hasn have haven having he hear hello help her here hey hi him hints his hope how
however huge idea ideas if important improved improvement improvements in include included including
increase increased increases increasing info information instead interested into involve is isn issue issues
it its just keep kind know known last later latest lead least leave left less let lets like likely linearly
little ll long longer look lot main major make makes making manage many massive matter may maybe me mean
meaning means meant mention might mine more moreover most mostly move much multiple must my myself namely
near nearly necessary need needed needs never new nice no none normal normally not note nothing notice now
obviously of off often ok older on once one ones only or order original other otherwise our out over overall
own part particular people per perform place please point possible possibly prefer pretty previous probably
problem problems proper properly provide provided provides purpose put question questions quick quickly
quite rather re reach really reason reasonable recently recommended regarding related relevant remain
remained remains reported requires result results right said same satisfy say saying see seem seems seen
sense several shall she short should shouldn show showing shown shows significant significantly similar
simple simply situation so some somehow someone something sometimes soon sort stay stays still such suggest
suggestion suggestions suppose supposed sure table take taken takes taking talk tell term than thank thanks
that the their them then there therefore these they thing things think this those though through to too
total toward true try trying type typical unchanged under understand unexpected unless until up us use used
useful uses using usual usually various ve version very via want wants was wasn way ways we well were weren
what whatever when where whether which while who whole whose why will with within without won wonder
wondering worse worth would wouldn write wrong wrote yes yet you your yours
whats thats hows wheres theyre youre im ive cant dont doesnt didnt isnt arent wont lol pls plz anyway
"""
STOP_WORDS = frozenset(_WORDS.split())
