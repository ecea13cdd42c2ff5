-- Devices that need attention are listed page by page (issue 7: every figure leads to the list behind it): devices that
-- left in the same moment have one order, too, and pages are passed without looking at the rows.
drop index home_away_since;
create index home_away_since on home_away (since, device_id);
drop index home_silent_since;
create index home_silent_since on home_silent (since, device_id);
