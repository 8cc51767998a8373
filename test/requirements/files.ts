import type { Statement } from './requirement.ts';

export const files = {
  'files/upload': 'POST /api/v1/files/ takes a multipart form with field file and returns a file id',
  'files/process-default': 'process defaults to true: content is extracted and embeddings are computed',
  'files/process-off': 'process=false stores the file without extracting or embedding',
  'files/background-default': 'process_in_background defaults to true and the upload returns at once with the id',
  'files/background-off': 'process_in_background=false returns after processing has ended',
  'files/status': 'GET /api/v1/files/{id}/process/status returns one JSON status by default',
  'files/status-stream': 'stream=true returns the status as Server-Sent Events with data: frames',
  'files/status-values': 'The processing status is pending, completed or failed',
  'files/failed-error': 'Failed processing gives status failed with an error field',

  'knowledge/get': 'GET /api/v1/knowledge/{id} returns the collection',
  'knowledge/fields': 'A collection has id, type collection, status, name, description, created_at and updated_at',
  'knowledge/status-values': 'The status of a knowledge file is processed, processing or error',
  'knowledge/add-file': 'POST /api/v1/knowledge/{id}/file/add adds the processed file named by file_id',
  'knowledge/add-unprocessed':
    'Adding a file that is not completed answers 400 with a message that the content is empty',

  'retrieval/files-in-completion':
    'files of a completion gives the model content of the referenced files and collections',
  'retrieval/reference-shape': 'A reference is {type, id, status?} where type is file or collection',
  'retrieval/reference-status': 'The status of a reference is processed, processing or error',
  'retrieval/processed-only': 'Only processed references are used for a completion',

  'web/fetch': 'POST /api/v1/retrieval/process/web fetches a page and stores its chunks',
  'web/url-required': 'Fetching a page without a string url is refused',
  'web/process-default': 'process defaults to true and the vectors are saved',
  'web/process-off': 'process=false only returns the extracted content and saves no vectors',
  'web/overwrite-default': 'overwrite defaults to true and empties the target collection before inserting',
  'web/overwrite-off': 'overwrite=false keeps the existing vectors and adds to them',
  'web/collection-name': 'collection_name chooses the target collection',
  'web/collection-name-generated': 'Without collection_name the name is generated from the URL',
} as const satisfies Record<string, Statement>;
