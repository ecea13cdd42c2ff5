/** A list as a table or as cards. */

import { AppstoreOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Segmented } from 'antd'
import { useState } from 'react'
import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'
import './view-switch.css'

const view = z.enum(['table', 'card'])
type View = z.output<typeof view>

/** Kept per browser: it is a habit, not part of what a link shows. */
export function useView(list: string): [View, (next: View) => void] {
  const key = `iThings-${list}-view`
  const [value, setValue] = useState<View>(() => readCacheOr(key, (stored) => view.parse(stored), 'table'))
  const change = (next: View) => {
    setValue(next)
    writeCache(key, next)
  }
  return [value, change]
}

export function ViewSwitch({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  return (
    <Segmented<View>
      size="small"
      aria-label={t('显示方式')}
      value={value}
      onChange={onChange}
      options={[
        { value: 'table', icon: <UnorderedListOutlined />, title: t('表格') },
        { value: 'card', icon: <AppstoreOutlined />, title: t('卡片') },
      ]}
    />
  )
}
