/** Saving, reading and listing device tasks (screens.md 7), without devices that answer. */
import { errors } from '@ithings/contract/errors.ts'
import { createGroup, addGroupDevices } from '@ithings/contract/features/groups.ts'
import {
  cancelTask,
  createTask,
  DeployStatus,
  deleteTask,
  exportTask,
  listTaskDevices,
  listTasks,
  previewTask,
  readTask,
  retryTask,
  runTask,
  setTaskStatus,
  TaskSchedule,
  TaskTarget,
  TaskType,
  updateTask,
} from '@ithings/contract/features/tasks.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activate, makeDevice, makeProduct, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { makePerson } from '#testing/people.ts'
import { openTaskRoom, type TaskRoom } from './testing/task-room.ts'
