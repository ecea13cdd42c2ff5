-- Programs that know 0037 may run beside this.
-- In which language the file of a job is written (docs/design/language.md); '' is Chinese.
alter table job add column language text not null default '';
