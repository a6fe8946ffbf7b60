from campaign.rules.nests import is_held


def test_nests_hold_out_while_one_commissar_is_in_play():
    assert [is_held(commissars) for commissars in (0, 1, 2)] == [False, True, True]
