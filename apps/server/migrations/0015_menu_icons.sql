-- spec 2: each entry of the menu has an icon. Three top entries shared one; whoever chose another keeps it.
update menu set icon = 'icon_data_01' where id = 60 and icon = 'icon_cloud_monitor';
update menu set icon = 'icon_electric' where id = 50 and icon = 'icon_cloud_monitor';
