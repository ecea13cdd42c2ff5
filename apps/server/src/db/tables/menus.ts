import type { Generated } from 'kysely'

export interface MenuTable {
  id: Generated<number>
  parent_id: number
  name: string
  /** For English readers; '' where nobody gave one. */
  name_en: Generated<string>
  type: Generated<number>
  path: Generated<string>
  component: Generated<string>
  icon: Generated<string>
  redirect: Generated<string>
  sort_order: Generated<number>
  hide_in_menu: Generated<number>
  rev: Generated<number>
  created_at: Generated<Date>
}
