-- Programs that know 0039 may run beside this.
-- What English readers are shown for a menu entry that somebody made (docs/design/language.md); '' is its name.
alter table menu add column name_en text not null default '';
