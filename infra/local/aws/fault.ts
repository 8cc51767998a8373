/** A refusal in AWS's vocabulary: the SDKs turn the code into their typed exception. */
export class AwsFault extends Error {
  override readonly name = 'AwsFault';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
