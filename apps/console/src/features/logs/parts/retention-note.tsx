import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { paths } from '#kit/paths.ts'

/** How long entries are kept; the link leads to where that is set. */
export function RetentionNote({ days }: { days: number | undefined }) {
  if (days === undefined) return null
  return (
    <span className="meta">
      {t('保留最近 {days} 天，更早的自动删除 ·', { days })} <Link to={paths.settings}>{t('设置')}</Link>
    </span>
  )
}
