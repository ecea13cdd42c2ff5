-- Programs that know 0038 may run beside this.
-- In which language a channel is spoken to (docs/design/language.md); '' is Chinese. A delivery has its own: what is
-- written when it is sent must fit what was written when it was made.
alter table notify_channel add column language text not null default '';
alter table notify_delivery add column language text not null default '';
