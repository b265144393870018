import GatebookEvents
import GatebookStore
import Glibc
import Testing

@testable import GatebookSecretService

/// What needs no keyring; `KeyringTests` of the command line start one.
@Suite struct SecretServiceKeySourceTests {
  @Test func `what is declared of libsecret and GLib is what their headers say`() throws {
    let file = String(describing: #filePath)
    let root = "/" + file.split(separator: "/").dropLast(3).joined(separator: "/")
    let command =
      "printf '#include <libsecret/secret.h>\\n#include \"shim.h\"\\n' | clang -x c -Wall -Werror "
      + "-fsyntax-only -I '\(root)/Sources/CSecret' $(pkg-config --cflags libsecret-1) - 2>&1"
    let stream = try #require(popen(command, "r"))
    var said = ""
    var byte = fgetc(stream)
    while byte != EOF {
      said.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: byte)))
      byte = fgetc(stream)
    }
    #expect(pclose(stream) == 0, "\(said)")
  }

  private static func failure(_ library: String) -> GatebookError? {
    let source = SecretServiceKeySource(limit: .seconds(60), library: library)
    do throws(GatebookError) {
      _ = try source.open(
        KeyDescription(source: "secret-service", parameters: [:]), of: BookID(high: 1, low: 2))
      return nil
    } catch {
      return error
    }
  }

  @Test func `without libsecret the key is missing, and the error says what to install`() async {
    await #expect(processExitsWith: .success) {
      setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1)
      let error = try #require(Self.failure("libgatebook-none.so.0"))
      #expect(error.code == .keyMissing)
      #expect(error.remedy.contains("libsecret-1-0"))
      #expect(error.kept.contains("The book is not affected"))
    }
  }

  @Test(arguments: ["", "autolaunch:", "autolaunch:scope=*user"])
  func `no bus is ever started`(_ address: String) async {
    await #expect(processExitsWith: .success) { [address] in
      setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
      setenv("XDG_RUNTIME_DIR", "/nowhere", 1)
      // Not even the library is opened.
      let error = try #require(Self.failure("libgatebook-none.so.0"))
      #expect(error.code == .keyMissing)
      #expect(error.message.contains("There is no desktop session"))
    }
  }
}
