import type { LoginLog } from '@ithings/contract/features/logs.ts'
import { Copyable } from '#kit/copyable.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { formatTime } from '#kit/time.ts'
import { TimeText } from '#kit/time-text.tsx'
import { resultLook } from '../labels.ts'

/** A name that belongs to no account is logged without a user id. */
const userIDText = (row: LoginLog) => (row.userID === '0' ? '' : row.userID)

export const loginLogColumns: ListColumn<LoginLog>[] = [
  {
    key: 'userID',
    title: '用户id',
    render: (_value, row) => <Copyable text={userIDText(row)} />,
    exportText: userIDText,
    hiddenAtFirst: true,
  },
  { key: 'userName', title: '登录人员', dataIndex: 'userName', sorter: true, hideable: false, phone: 'title' },
  {
    key: 'ipAddr',
    title: '登录 IP',
    dataIndex: 'ipAddr',
    sorter: true,
    phone: 'subtitle',
    render: (_value, row) => <Copyable text={row.ipAddr} />,
  },
  { key: 'loginLocation', title: '登录地点', dataIndex: 'loginLocation', phone: 'meta' },
  { key: 'browser', title: '浏览器类型', dataIndex: 'browser', truncate: 160, phone: 'meta' },
  { key: 'os', title: '操作系统', dataIndex: 'os', truncate: 140 },
  {
    key: 'code',
    title: '登录状态',
    sorter: true,
    phone: 'status',
    render: (_value, row) => <StatusTag {...resultLook(row.code)} />,
    exportText: (row) => resultLook(row.code).text,
  },
  { key: 'msg', title: '提示信息', dataIndex: 'msg', truncate: 240, phone: 'meta' },
  {
    key: 'createdTime',
    title: '登录时间',
    sorter: true,
    phone: 'meta',
    render: (_value, row) => <TimeText value={row.createdTime} mode="exact" />,
    exportText: (row) => formatTime(row.createdTime),
  },
]
