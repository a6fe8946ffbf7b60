from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"

    def ready(self) -> None:
        """Tell the frame that campaigns lead matches, and where it finds the counters of their content."""
        from campaign import ledger_port
        from campaign.ledger import drafts
        from campaign.ledger.content import counters_of
        from firefight.chartroom import shelf
        from firefight.games import gallery
        from firefight.table.act import ports

        ports.lead_matches(ledger_port)
        shelf.ROOMS.append(drafts.ROOM)
        gallery.find_in_content(counters_of)
