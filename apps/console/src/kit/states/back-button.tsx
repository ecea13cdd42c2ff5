import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useNavigate } from 'react-router'

/** One step back inside the app; a page opened by its address has none, so it leads home. */
export function BackButton() {
  const navigate = useNavigate()
  const goBack = () => {
    const index = (window.history.state as { idx?: number } | null)?.idx ?? 0
    void (index > 0 ? navigate(-1) : navigate('/', { replace: true }))
  }
  return <Button onClick={goBack}>{t('返回上一页')}</Button>
}
