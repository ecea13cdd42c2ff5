import { EllipsisOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown, Tooltip } from 'antd'
import { useHeld } from '#kit/rights.tsx'
import type { RowAction } from './list-contract.ts'

const inlineActions = 2

/**
 * The first two actions as grey text, the rest behind ••• (on a phone all of them); danger is red only in its
 * confirmation (look.md 10).
 */
export function RowActions({ actions, touch = false }: { actions: readonly RowAction[]; touch?: boolean }) {
  const held = useHeld()(actions)
  const inline = touch ? [] : held.slice(0, inlineActions)
  const more = touch ? held : held.slice(inlineActions)
  const size = touch ? 'large' : 'small'
  return (
    <span
      className={touch ? 'row-actions inline-row gap-4 row-actions-touch absolute' : 'row-actions inline-row gap-4'}
    >
      {inline.map((action) => (
        <Tooltip key={action.key} title={action.hint}>
          <Button type="text" size={size} disabled={action.disabled} onClick={action.onClick}>
            {t(action.label)}
          </Button>
        </Tooltip>
      ))}
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: more.map((action) => ({
              key: action.key,
              label: action.hint ? <Tooltip title={action.hint}>{t(action.label)}</Tooltip> : t(action.label),
              icon: action.icon,
              disabled: action.disabled ?? false,
              onClick: action.onClick,
            })),
          }}
        >
          <Button type="text" size={size} icon={<EllipsisOutlined />} aria-label={t('更多操作')} />
        </Dropdown>
      )}
    </span>
  )
}
