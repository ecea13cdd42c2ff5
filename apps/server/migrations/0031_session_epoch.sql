-- Which of two connections of a device is the newer one, on whatever servers they are: numbers of one sequence, because
-- the clocks of two machines never agree.
create sequence device_session_epoch;
alter table device_session add column epoch bigint not null default nextval('device_session_epoch');
