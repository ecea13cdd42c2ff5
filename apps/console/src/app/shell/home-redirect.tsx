import { t } from '@ithings/contract/text.ts'
import { Navigate } from 'react-router'
import { StateBlock } from '#kit/states/state-block.tsx'
import { useMenu } from './use-menu.ts'

/** `/` leads to the product list or the first permitted entry; a user without any gets a calm page. */
export function HomeRedirect() {
  const { landing } = useMenu()
  if (landing) return <Navigate to={landing} replace />
  return (
    <StateBlock
      variant="empty"
      title={t('暂无可用菜单，请联系管理员')}
      text={t('你的角色还没有分配任何可以打开的菜单。')}
    />
  )
}
