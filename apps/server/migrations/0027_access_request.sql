-- Who asks for which page of the console: one open request a person and page, gone when somebody has dealt with it.
create table access_request (
  user_id bigint not null references app_user on delete cascade,
  path text not null,
  created_at timestamptz not null,
  primary key (user_id, path)
);
