#ifndef STUB_SCHEMA_GENERATED_H_
#define STUB_SCHEMA_GENERATED_H_

namespace tflite {

struct Model {
  unsigned int version() const { return 3; }
};

inline const Model* GetModel(const void* data) { return static_cast<const Model*>(data); }

}  // namespace tflite

#endif  // STUB_SCHEMA_GENERATED_H_
