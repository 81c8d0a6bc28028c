module {
  func.func @main(%0: tensor<1x49x10x1xi8>) {









    %1 = tosa.conv2d %0, %w0, %b0
    %2 = tosa.fully_connected %1, %w1, %b1
    %3 = tosa.clamp %2
  }
}
