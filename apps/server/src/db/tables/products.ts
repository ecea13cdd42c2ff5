import type { TestCase } from '@ithings/contract/features/scripts.ts'
import type { Action, ModelEvent, Property, ThingModel } from '@ithings/contract/thing-model/model.ts'
import type { Tag } from '@ithings/contract/wire.ts'
import type { Generated } from 'kysely'
import type { Json, JsonDefault } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface ProductTable {
  product_id: string
  product_name: string
  product_img: Generated<string>
  auth_mode: Generated<number>
  device_type: Generated<number>
  category_id: Generated<number>
  net_type: Generated<number>
  data_proto: Generated<number>
  auto_register: Generated<number>
  secret: Sealed
  old_secret: Generated<Sealed>
  old_secret_until: Generated<number>
  description: Generated<string>
  tags: JsonDefault<Tag[]>
  dialect: Generated<number>
  value_days: Generated<number>
  log_days: Generated<number>
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface ProductFunctionTable {
  product_id: string
  identifier: string
  type: number
  tag: Generated<number>
  position: number
  definition: Json<Property | ModelEvent | Action>
}

export interface ProductModelVersionTable {
  product_id: string
  version: number
  title: string
  user_name: string
  model: Json<ThingModel>
  created_at: Date
}

export interface ProductScriptTable {
  product_id: string
  script: Generated<string>
  script_lang: Generated<number>
  custom_topic: JsonDefault<string[]>
  draft: Generated<string>
  cases: JsonDefault<TestCase[]>
  published_at: Date | null
  rev: Generated<number>
}
