-- Programs that know 0036 may run beside this.
-- '' : the user has chosen no language, and his browser decides (docs/design/language.md). Nobody could choose before.
alter table app_user alter column language set default '';
update app_user set language = '' where language = 'zh_CN';
