import { BulbOutlined } from '@ant-design/icons'
import { BusinessType } from '@ithings/contract/endpoint.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tree } from 'antd'
import { useState } from 'react'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { apiKeyOf } from '../api-selection.ts'
import type { Suggestion } from '../suggest-apis.ts'
import { ApiTitle } from './api-title.tsx'

const menuKey = (id: number) => `menu:${id}`

interface SuggestionsProps {
  suggestions: readonly Suggestion[]
  onAdd: (keys: string[]) => void
}

/** Says that the chosen menus usually need more APIs; nothing is added before somebody chose and confirmed. */
export function Suggestions({ suggestions, onAdd }: SuggestionsProps) {
  const [open, setOpen] = useState(false)
  const count = suggestions.reduce((sum, one) => sum + one.apis.length, 0)
  if (count === 0 && !open) return null
  return (
    <div className="rights-suggest link tint-fill row gap-8">
      <BulbOutlined aria-hidden="true" />
      <span className="grow main-text">{t('已选菜单通常还需要 {count} 个接口', { count })}</span>
      <Button type="link" size="small" onClick={() => setOpen(true)}>
        {t('查看建议')}
      </Button>
      {open && (
        <SuggestionPicker
          suggestions={suggestions}
          onClose={() => setOpen(false)}
          onAdd={(keys) => {
            setOpen(false)
            onAdd(keys)
          }}
        />
      )}
    </div>
  )
}

function SuggestionPicker({ suggestions, onAdd, onClose }: SuggestionsProps & { onClose: () => void }) {
  const phone = usePhone()
  const all = suggestions.flatMap((one) => one.apis)
  // Least privilege: reading is offered ticked, changing is for the person to tick.
  const [chosen, setChosen] = useState(() => all.filter((api) => api.businessType === BusinessType.query).map(apiKeyOf))
  const keys = new Set(all.map(apiKeyOf))
  return (
    <PhoneModal
      title={t('建议的接口')}
      open
      width={640}
      className={phone ? 'rights-phone' : ''}
      onCancel={onClose}
      onOk={() => onAdd(chosen)}
      okText={t('添加所选 {count} 个', { count: chosen.length })}
      okButtonProps={{ disabled: chosen.length === 0 }}
      cancelText={t('取消')}
    >
      <p className="meta">{t('按菜单的名称和路径推断，默认只勾选查询类接口。添加后还需保存才会生效。')}</p>
      <div className="rights-suggest-tree above-8 scroll">
        <Tree
          blockNode
          checkable
          selectable={false}
          virtual={false}
          defaultExpandAll
          treeData={suggestions.map(({ menu, apis }) => ({
            key: menuKey(menu.id),
            title: (
              <span className="rights-row row gap-8 shrink">
                <span className="fixed main-text bold">{menu.name}</span>
                <span className="meta">{t('{count} 个', { count: apis.length })}</span>
              </span>
            ),
            children: apis.map((api) => ({ key: apiKeyOf(api), title: <ApiTitle api={api} /> })),
          }))}
          checkedKeys={chosen}
          onCheck={(checked) => {
            const list = Array.isArray(checked) ? checked : checked.checked
            setChosen(list.map(String).filter((key) => keys.has(key)))
          }}
        />
      </div>
    </PhoneModal>
  )
}
