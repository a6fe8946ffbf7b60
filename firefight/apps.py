from django.apps import AppConfig


class FirefightConfig(AppConfig):
    name = "firefight"

    def ready(self) -> None:
        """Register what goes along with every act: only here does all of it meet."""
        from firefight.table.act.following import Followers, follow_acts
        from firefight.table.board import counters, record_rules
        from firefight.table.rolling import steps

        follow_acts(
            Followers(
                begin=(counters.begin_with_store,),
                write=(record_rules.tell_ledger, counters.save_store),
                follow=(record_rules.follow_counters, steps.drop_moot),
            )
        )
