import { t } from '@ithings/contract/text.ts'
import { Spin } from 'antd'
import './states.css'

/** spec 2: while a lazily loaded screen loads, a large centred spinner with top padding 100. */
export function PageSpinner() {
  return (
    <div className="page-spinner centered" role="status" aria-label={t('加载中')}>
      <Spin size="large" />
    </div>
  )
}
