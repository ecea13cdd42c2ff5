import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { paths } from '#kit/paths.ts'
import { RichText } from '#kit/rich-text.tsx'

/** How long entries are kept; the link leads to where that is set. */
export function RetentionNote({ days }: { days: number | undefined }) {
  if (days === undefined) return null
  return (
    <span className="meta">
      <RichText
        text={t('保留最近 {count} 天，更早的自动删除 · <0>设置</0>', { count: days })}
        parts={[<Link key="settings" to={paths.settings} />]}
      />
    </span>
  )
}
