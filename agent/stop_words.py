"""Words of a question that say nothing of what it is about."""

_WORDS = """
a about actually after again ain all also always am an and any anyone anything are aren as at be
because been before being best better between both but by can could couldn define definition
describe did didn difference do does doesn doing don done each either else ever every exactly
explain far few find first for from get gets getting give go going good got had has hasn have haven
having he help her here him his how however if in instead into is isn it its just know let like ll
look lot make makes making many may maybe me mean means meant might mine more most much must my
myself need needed needs never new no not now of off often ok on once one only or other our out over
own per please possible put quite rather re really right same say see seem seems shall she should
shouldn simply so some someone something sometimes still such sure take takes tell than thank thanks
that the their them then there these they thing things think this those though through to too try
trying under understand until up us use used useful uses using usually ve very want wants was wasn
way we well were weren what when where whether which while who whose why will with within without
won wonder wondering would wouldn wrong yes yet you your
"""
STOP_WORDS = frozenset(_WORDS.split())
