import { DeleteOutlined, MoreOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown, Select } from 'antd'
import { itemAnchor, triggerProducts, useConditionEdit, useEditor } from '../editor-context.ts'
import { changeItem, liftItem, moveItem, removeItem } from '../logic/condition-tree.ts'
import type { ConditionItem } from '../logic/draft.ts'
import { type ConditionKind, withKind } from '../logic/edit-condition.ts'
import { Field, FieldNotes } from '../parts/field.tsx'
import { PropertyFields } from './property-fields.tsx'
import { TimeFields } from './time-fields.tsx'

const kinds: { value: ConditionKind; label: string }[] = [
  { value: 'property', label: '设备属性' },
  { value: 'sysTime', label: '系统时间' },
]
const checked = ['', 'columnSchema', 'columnTime', 'terms']

interface ConditionRowProps {
  item: ConditionItem
  inGroup: boolean
  first: boolean
  last: boolean
}

/** One condition: what it looks at, how it compares. */
export function ConditionRow({ item, inGroup, first, last }: ConditionRowProps) {
  const { draft } = useEditor()
  const edit = useConditionEdit()
  const { key, part } = item
  const put = (patch: Partial<ConditionItem['part']>) =>
    edit((all) => changeItem(all, key, (one) => ({ ...one, part: { ...one.part, ...patch } })))
  return (
    <div className="scene-item" id={itemAnchor(key)}>
      <div className="scene-line top gap-4 grid">
        <div className="scene-row row wrap shrink gap-8">
          {part.columnType === 'event' ? (
            <span className="flex wrap gap-12 tight">
              <b>{t('事件条件')}</b>
              <span className="meta">{t('由其他控制台创建，保存时原样保留')}</span>
            </span>
          ) : (
            <Field item={key} name="columnType" width={104}>
              <Select
                aria-label={t('条件类型')}
                value={part.columnType === 'sysTime' ? 'sysTime' : 'property'}
                options={kinds.map(({ value, label }) => ({ value, label: t(label) }))}
                onChange={(kind: ConditionKind) =>
                  edit((all) => changeItem(all, key, (one) => withKind(one, kind, triggerProducts(draft)[0] ?? '')))
                }
              />
            </Field>
          )}
          {part.columnType === 'property' && part.columnSchema && (
            <PropertyFields item={key} value={part.columnSchema} onChange={(columnSchema) => put({ columnSchema })} />
          )}
          {part.columnType === 'sysTime' && part.columnTime && (
            <TimeFields item={key} value={part.columnTime} onChange={(columnTime) => put({ columnTime })} />
          )}
        </div>
        <span className="scene-row-tools inline-row top">
          {(inGroup || !first || !last) && (
            <Dropdown
              trigger={['click']}
              menu={{
                items: [
                  {
                    key: 'up',
                    label: t('上移'),
                    disabled: first,
                    onClick: () => edit((all) => moveItem(all, key, -1)),
                  },
                  {
                    key: 'down',
                    label: t('下移'),
                    disabled: last,
                    onClick: () => edit((all) => moveItem(all, key, 1)),
                  },
                  ...(inGroup
                    ? [{ key: 'out', label: t('移出条件组'), onClick: () => edit((all) => liftItem(all, key)) }]
                    : []),
                ],
              }}
            >
              <Button type="text" className="scene-tool" icon={<MoreOutlined />} aria-label={t('移动这个条件')} />
            </Dropdown>
          )}
          <Button
            type="text"
            className="scene-tool"
            icon={<DeleteOutlined />}
            aria-label={t('删除这个条件')}
            onClick={() => edit((all) => removeItem(all, key))}
          />
        </span>
      </div>
      <FieldNotes item={key} fields={checked} />
    </div>
  )
}
