internal import Glibc

/// What SQLite calls instead of the kernel.
enum SystemCalls {
  static let write: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = {
    descriptor, bytes, count in
    DiskState.shared.write(descriptor, bytes, count) { Glibc.write(descriptor, bytes, $0) }
  }

  static let positionedWrite: @convention(c) (Int32, UnsafeRawPointer?, Int, Int) -> Int = {
    descriptor, bytes, count, offset in
    DiskState.shared.write(descriptor, bytes, count) { Glibc.pwrite(descriptor, bytes, $0, offset) }
  }

  static let open: @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32 = {
    path, flags, mode in
    guard let path else { return -1 }
    if flags & O_CREAT != 0, access(path, F_OK) != 0,
      let number = DiskState.shared.failure(ofMaking: String(cString: path))
    {
      errno = number
      return -1
    }
    return Glibc.open(path, flags, mode_t(mode))
  }

  static let truncate: @convention(c) (Int32, Int) -> Int32 = { descriptor, size in
    if let number = DiskState.shared.failure(ofResizing: descriptor) {
      errno = number
      return -1
    }
    return ftruncate(descriptor, size)
  }

  // Variadic in C; on x86-64 and arm64 Linux a third argument comes in the same register.
  static let control: @convention(c) (Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
    descriptor, command, argument in
    if command == F_SETLK { DiskState.shared.lockChanges() }
    guard let argument else { return fcntl(descriptor, command, 0) }
    return fcntl(descriptor, command, argument)
  }
}
