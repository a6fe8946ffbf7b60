from django.apps import AppConfig


class FirefightConfig(AppConfig):
    name = "firefight"

    def ready(self) -> None:
        """Say what goes along with every act: only here do all of them meet."""
        from firefight.table.act.following import Followers, follow_acts
        from firefight.table.board import counters, keeping
        from firefight.table.rolling import steps

        follow_acts(
            Followers(
                begin=(counters.begin_with_store,),
                write=(keeping.tell_ledger, counters.save_store),
                follow=(keeping.follow_counters, steps.drop_moot),
            )
        )
